/** Component: the page that an address names, in its frame. */
import type { ExplorerPage } from "@svc/shared/explorer/explorerPaths.ts";
import { Layout } from "../frame/Layout.tsx";
import { FrameContext, type PageFrame } from "../frame/pageFrame.ts";
import { AboutData } from "./AboutData.tsx";
import { Block } from "./Block.tsx";
import { Blocks } from "./Blocks.tsx";
import { Charts } from "./Charts.tsx";
import { Check } from "./Check.tsx";
import { Dag } from "./Dag.tsx";
import { Extremes } from "./Extremes.tsx";
import { Miners } from "./Miners.tsx";
import { Network } from "./Network.tsx";
import { NotFound } from "./NotFound.tsx";
import { Overview } from "./Overview.tsx";
import { Search } from "./Search.tsx";
import { Supply } from "./Supply.tsx";
import { Transaction } from "./Transaction.tsx";
import { Transactions } from "./Transactions.tsx";
import { Widget, WidgetFrame } from "./Widget.tsx";

/** The whole of a page; a frame of another site has the widget alone. */
export function PageBody(props: { frame: PageFrame }) {
  const { page } = props.frame;
  return (
    <FrameContext.Provider value={props.frame}>
      {page.kind === "widget-frame" ? <WidgetFrame /> : <Layout>{contentOf(page)}</Layout>}
    </FrameContext.Provider>
  );
}

function contentOf(page: ExplorerPage) {
  switch (page.kind) {
    case "overview":
      return <Overview />;
    case "blocks":
      return <Blocks before={page.before} />;
    case "block":
      return <Block id={page.id} />;
    case "transactions":
      return <Transactions before={page.before} />;
    case "transaction":
      return <Transaction id={page.id} />;
    case "dag":
      return <Dag minute={page.minute} />;
    case "extremes":
      return <Extremes />;
    case "miners":
      return <Miners />;
    case "network":
      return <Network />;
    case "charts":
      return <Charts window={page.window} />;
    case "supply":
      return <Supply />;
    case "check":
      return <Check />;
    case "search":
      return <Search term={page.term} />;
    case "widget":
      return <Widget />;
    case "about-data":
      return <AboutData />;
    default:
      return <NotFound />;
  }
}
