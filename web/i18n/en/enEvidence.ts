/** English message catalogue of what a node has shown of the chain's work, a part of `en.ts`. */

/** The messages. */
export const enEvidence = {
  "work.seconds": { one: "about a second", other: "about {count} seconds" },
  "work.minutes": { one: "about a minute", other: "about {count} minutes" },
  "work.hours": { one: "about an hour", other: "about {count} hours" },
  "work.days": { one: "about a day", other: "about {count} days" },

  "row.confirmed": "Confirmed",
  "row.confirmedWork": "Confirmed: {time} of work shown",
  "row.confirmedNoWork": "Confirmed; this network proves nothing",
  "row.arrivingWork": "Arriving: {time} of work shown",

  "backing.label": "Evidence",
  "backing.work": "This node showed {time} of work above it",
  "backing.noWork": "Checked, but this network proves nothing: its blocks cost no work",
  "backing.unmeasured": "Checked, but this program knows no work of this network yet",
  "backing.claimed": "This node says so; no work is shown yet",

  "shown.work": "Shown: {time} of work above block {block}",
  "shown.noWork": "Checked up to block {block}; this network proves nothing",
  "shown.unmeasured": "Checked up to block {block}; this program knows no work of this network yet",
  "shown.claimed": "Not checked yet: these numbers are what this node says",

  "shown.title": "What this node has shown",
  "shown.text":
    "Each block commits to all notes, to all spends and to the coins that exist. The wallet counts them itself, compares, and recomputes the work above. Whoever makes it up has to do that work himself. Before you hand over goods of great worth, use a node of your own.",
  "shown.far": "Over many minutes",
  "shown.near": "Over the last blocks",
  "shown.tip": "Newest block",
  "shown.fault": "Found",
  "shown.none": "Nothing yet",
  "shown.blockWork": "{time} of work shown above block {block}",
  "shown.blockNoWork": "Checked up to block {block}, which cost no work",

  "doubt.notes": "This node left out or made up payments",
  "doubt.spends": "This node left out or made up spends",
  "doubt.coins": "This node told of other mined coins than there are",
  "doubt.scores": "This node told false ages of its blocks",
  "doubt.payload": "This node altered a payment",
  "doubt.page": "Another node tells of the same blocks otherwise",
  "doubt.behind": "Another node knows later blocks than this one",
  "doubt.left": "This node left a chain whose work was shown",
  "doubt.broken": "This node shows work that does not hold",
  "doubt.easy": "This node shows less work than the network has",
  "doubt.notShown": "This node does not show its work",
  "doubt.stale": "This node's newest block is from {time}",
  "doubt.unmeasured": "This program knows no work of this network yet",
  "doubt.unmeasuredText":
    "It cannot tell how much the work behind these blocks is worth, so nothing counts as confirmed. A newer version may know, and whoever builds these pages can name it with SVC_CHECKPOINTS. Your coins are safe.",
  "doubt.contradictsText":
    "The blocks that the network worked on commit to something else. Your coins are safe, and nothing is deleted.",
  "doubt.brokenText":
    "Numbers without work behind them can be made up. Your coins are safe, and nothing is deleted.",
  "doubt.elsewhereText": "One of the two nodes is wrong. Your coins are safe.",
  "doubt.notShownText":
    "It may be busy, or too old a program. What is above the last checked block is what this node says.",
  "doubt.staleText":
    "Blocks come all the time on this network. What came since then is not in these numbers.",
  "doubt.provedWork":
    "Checked up to {moment}, with {time} of work shown above. Nothing newer counts.",
  "doubt.provedNoWork": "Checked up to {moment}. Nothing newer counts.",
  "doubt.provedNothing": "Nothing was checked yet, so nothing counts.",
  "doubt.keptWork": "What was checked stays: up to {moment}, with {time} of work shown above.",
  "doubt.keptNoWork": "What was checked stays: up to {moment}.",
  "doubt.keptNothing": "Nothing was checked yet.",
  "doubt.block": "block {number}",
  "doubt.noSum": "Not known from this node",
  "doubt.ask": "Ask another node",
} as const;
