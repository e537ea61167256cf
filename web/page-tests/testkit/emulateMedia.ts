/** Command of page tests for their runner: sets what media queries of the page answer. */
import { defineBrowserCommand } from "@vitest/browser-playwright";

/** Media features; null leaves one to the system. */
export type Media = {
  readonly media?: "print" | "screen" | null;
  readonly colorScheme?: "light" | "dark" | null;
  readonly forcedColors?: "active" | "none" | null;
  readonly reducedMotion?: "reduce" | "no-preference" | null;
};

declare module "vitest/internal/browser" {
  interface BrowserCommands {
    emulateMedia(media: Media): Promise<void>;
  }
}

/** The command. */
export const emulateMedia = defineBrowserCommand<[Media]>(({ page }, media) =>
  page.emulateMedia(media),
);
