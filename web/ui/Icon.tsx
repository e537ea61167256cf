/** Component: line icons, 20 × 20. They repeat what a label says and are hidden from assistive technology. */

const PATHS = {
  home: "M3.5 9 10 3.5 16.500 9v7a.5.5 0 0 1-.5.5h-4v-5H8v5H4a.5.5 0 0 1-.5-.5Z",
  receive: "M15 5 5.500 14.500m0 0H13m-7.500 0V7",
  send: "M5 15 14.500 5.500m0 0H7m7.500 0V13",
  history: "M4 10a6 6 0 1 0 2-4.470L4 7.500M4 4v3.500h3.500M10 7v3.500l2.500 1.500",
  settings:
    "M4 6h6m4 0h2M4 14h2m4 0h6M12 4.250a1.750 1.750 0 1 1 0 3.500 1.750 1.750 0 0 1 0-3.500ZM8 12.250a1.750 1.750 0 1 1 0 3.500 1.750 1.750 0 0 1 0-3.500Z",
  lock: "M6 9V6.500a4 4 0 0 1 8 0V9M5 9h10v7.500H5Z",
  copy: "M7 7V3.500h9.500V13H13M3.500 7H13v9.500H3.500Z",
  check: "m4.500 10.500 3.500 3.500 7.500-8",
  close: "m5 5 10 10M15 5 5 15",
  alert: "M10 7v4m0 2.500v.1M10 3l7.500 13.500h-15Z",
  info: "M10 9v5m0-7.600v.1M10 2.500a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15Z",
  mined: "M4 16 11 9m-4.500-5C10.500 3 15 6 16.500 10.500 14 8 11 6.500 8 6.500",
  self: "M4 8a6 6 0 0 1 11-1.500M16 12a6 6 0 0 1-11 1.500M15 3v3.500h-3.500M5 17v-3.500h3.500",
  plus: "M10 4v12M4 10h12",
  eye: "M2.500 10S5 4.500 10 4.500 17.500 10 17.500 10 15 15.500 10 15.500 2.500 10 2.500 10ZM10 7.750a2.250 2.250 0 1 1 0 4.500 2.250 2.250 0 0 1 0-4.500Z",
  chevron: "m6 8 4 4 4-4",
  back: "m11.500 5-5 5 5 5",
  blocks:
    "M3.500 7.500h5v5h-5ZM11.500 3.500h5v5h-5ZM11.500 11.500h5v5h-5ZM8.500 10 11.500 6M8.500 10l3 4",
  shield:
    "M10 2.500 16 5v4.500c0 3.750-2.500 6.500-6 8-3.500-1.500-6-4.250-6-8V5Zm-2.500 7.500 1.750 1.750L12.750 8",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon in the colour of its text. */
export function Icon(props: { name: IconName; size?: number }) {
  return (
    <svg
      width={props.size ?? 20}
      height={props.size ?? 20}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[props.name]} />
    </svg>
  );
}
