/** Entry point of a page for tests that holds the charts: it brings what a server rendered to life. */
import "../../ui/styles/tokens.css";
import "../../ui/styles/base.css";
import { hydrate } from "solid-js/web";
import { ChartsPage } from "./ChartsPage.tsx";

hydrate(() => <ChartsPage locale="en" />, document.body);
