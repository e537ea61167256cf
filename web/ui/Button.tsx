/** Components: a button, and a link that looks like one. */
import { Show, splitProps, type JSX } from "solid-js";
import styles from "./Button.module.css";
import { Icon, type IconName } from "./Icon.tsx";

type ButtonLook = {
  kind?: "primary" | "secondary" | "quiet" | "danger";
  icon?: IconName;
  /** Fills its container. */
  wide?: boolean;
};

type ButtonProps = ButtonLook & {
  /** Works at something: shown, and further presses do nothing. */
  busy?: boolean;
} & JSX.ButtonHTMLAttributes<HTMLButtonElement>;

/** A button; of type `button` unless it submits a form. */
export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ["kind", "icon", "wide", "busy", "children", "disabled"]);
  return (
    <button
      type="button"
      {...rest}
      class={buttonClass(own)}
      disabled={own.disabled === true || own.busy === true}
      aria-busy={own.busy === true ? "true" : undefined}
    >
      <ButtonContent {...own} />
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton(
  props: ButtonLook & {
    href: string;
    /** Beside this page, which goes on. */
    newTab?: boolean;
    children: JSX.Element;
  },
) {
  return (
    <a
      class={buttonClass(props)}
      href={props.href}
      target={props.newTab === true ? "_blank" : undefined}
      rel={props.newTab === true ? "noopener" : undefined}
    >
      <ButtonContent {...props} />
    </a>
  );
}

function ButtonContent(props: ButtonLook & { busy?: boolean | undefined; children?: JSX.Element }) {
  return (
    <>
      <Show
        when={props.busy}
        fallback={<Show when={props.icon}>{(name) => <Icon name={name()} />}</Show>}
      >
        <span class={styles.spinner} aria-hidden="true" />
      </Show>
      {props.children}
    </>
  );
}

function buttonClass(look: ButtonLook): string {
  const wide = look.wide === true ? styles.wide : "";
  return [styles.button, styles[look.kind ?? "secondary"], wide].filter(Boolean).join(" ");
}
