/** Component: a share as a bar beside its number. */

const LENGTH = 100;

/** The bar. `text`: the share in words, which assistive technology is given. */
export function ShareBar(props: { share: number; text: string }) {
  return (
    <span class="share">
      <svg viewBox={`0 0 ${LENGTH} 8`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-ground" width={LENGTH} height="8" rx="2" />
        <rect class="share-bar" width={Math.max(1, props.share * LENGTH)} height="8" rx="2" />
      </svg>
      <span class="number">{props.text}</span>
    </span>
  );
}
