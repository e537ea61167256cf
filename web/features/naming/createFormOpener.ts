/** State of a form that a button opens in its place: whoever closes the form stands at the button again. */
import { createSignal, type Accessor } from "solid-js";

/** The form's state, and what its button and its end call. */
export type FormOpener = {
  readonly isOpen: Accessor<boolean>;
  /** Opens the form; an open one is closed. */
  readonly toggle: () => void;
  /** Closes it, and gives the keyboard's place back to the button. */
  readonly close: () => void;
  /** Takes the button's element, each time that it is drawn. */
  readonly buttonRef: (button: HTMLButtonElement) => void;
};

/** A form that is closed. */
export function createFormOpener(): FormOpener {
  const [isOpen, setOpen] = createSignal(false);
  let button: HTMLButtonElement | undefined;
  return {
    isOpen,
    toggle: () => void setOpen((before) => !before),
    close: () => {
      setOpen(false);
      // The form had the keyboard's place, and is gone.
      queueMicrotask(() => button?.focus());
    },
    buttonRef: (found) => (button = found),
  };
}
