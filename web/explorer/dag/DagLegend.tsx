/** Component: what the shapes and colours of the block graph mean. */
import type { DagTexts } from "./dagTexts.ts";

/** The legend. */
export function DagLegend(props: { texts: DagTexts }) {
  return (
    <ul class="dag-legend">
      <li>
        <i data-kind="chain" />
        {props.texts.legendChain}
      </li>
      <li>
        <i data-kind="blue" />
        {props.texts.legendBlue}
      </li>
      <li>
        <i data-kind="red" />
        {props.texts.legendRed}
      </li>
      <li>
        <i data-kind="none" />
        {props.texts.legendNone}
      </li>
      <li>
        <i data-kind="payments" />
        {props.texts.legendPayments}
      </li>
      <li>
        <i data-kind="merge-mined" />
        {props.texts.mergeMined}
      </li>
      <li>
        <i data-kind="mergeset" />
        {props.texts.legendMergeset}
      </li>
    </ul>
  );
}
