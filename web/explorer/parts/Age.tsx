/** Component: how long ago something was, with its time for who wants to know. */
import { useFrame } from "../frame/pageFrame.ts";

/** The age. `ms`: Unix milliseconds. */
export function Age(props: { ms: number }) {
  const { texts, now } = useFrame();
  return (
    <time datetime={new Date(props.ms).toISOString()} title={texts.dateTime(props.ms)}>
      {texts.age(props.ms, now())}
    </time>
  );
}
