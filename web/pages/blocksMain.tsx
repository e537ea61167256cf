/** Entry point of the block explorer page. */
import "../threads/disposePolyfill.ts";
import "../ui/styles/tokens.css";
import "../ui/styles/base.css";
import { render } from "solid-js/web";
import { Blocks } from "../features/blocks/Blocks.tsx";
import { currentNode } from "../state/nodeChoice.ts";

const root = document.getElementById("root");
if (root === null) throw new TypeError("the page has a root element");
render(() => <Blocks url={currentNode()} />, root);
