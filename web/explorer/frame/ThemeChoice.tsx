/** Component: the choice of colours. Without the page's script it is hidden, and the page follows the system. */
import { setTheme, theme, type Theme } from "../../state/theme.ts";
import { useFrame } from "./pageFrame.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast"];

/** The choice, kept for later visits where the browser allows it. */
export function ThemeChoice() {
  const { texts } = useFrame();
  return (
    <label class="theme">
      <span>{texts.t("frame.theme")}</span>
      <select
        value={theme()}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setTheme(THEMES.find((name) => name === value) ?? "system");
        }}
      >
        <option value="system">{texts.t("theme.system")}</option>
        <option value="light">{texts.t("theme.light")}</option>
        <option value="dark">{texts.t("theme.dark")}</option>
        <option value="contrast">{texts.t("theme.contrast")}</option>
      </select>
    </label>
  );
}
