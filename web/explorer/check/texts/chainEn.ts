/** English texts of the step "on the chain", a part of `en.ts`. */

/** The messages. */
export const chainEn = {
  "subject.merging": "Chain block that merged it",
  "step.onChain": "It stands on the chain",
  "step.merged": "A block of the chain merged it",
  "reason.inLog": "By its place in the chain's log, below headers whose work was recomputed here.",
  "reason.linked": "By the headers above it, whose work was recomputed here.",
  "reason.noWork": "This network proves nothing: its blocks cost no work.",
  "reason.firstBlock": "It is the first block; every chain of this network stands on it.",
  "reason.unmerged": "No block of the chain has merged it yet.",
  "reason.youngBlock": "No block of the chain stands on it yet. Check again in a moment.",
  "reason.noLog":
    "This network keeps no log of its chain: only its newest blocks can be shown by work.",
  "reason.beforeLog":
    "It is older than the chain's log, which begins with the security fork, and too old to be shown by the headers above it.",
  "reason.notInLog": "The server says that its chain's log does not have this block.",
  "reason.leftChain": "The server says that its chain does not have this block (any more).",
  "reason.evidencePruned": "The server no longer has what shows it.",
  "reason.noEvidence":
    "The server gives no evidence of its chain. Nodes of this project do, and so does the explorer before one.",
  "reason.chainEasy": "What the server shows has less work than the blocks of this network take.",
  "reason.chainOther": "What the server shows is the place of another block.",
  "reason.chainFalse": "What the server shows of its chain does not hold.",
  "chain.block": "On the chain of this network: {place}.",
  "chain.merging": "Merged by the chain of this network, in {place}.",
  "chain.accepting": "Taken up by the chain of this network, in {place}.",
  "chain.number": "chain block number {number}",
  "chain.numberSince": "chain block number {number} since the security fork",
  "chain.noNumber": "a chain block",
  "chain.work": "The server showed about {time} of work above it, which your browser recomputed.",
  "chain.workYoung": "Too few blocks stand on it to tell of their work.",
  "chain.above": {
    one: "{count} chain block stands on it.",
    other: "{count} chain blocks stand on it.",
  },
  "chain.limit":
    "The time is told by the difficulty that these blocks name. Whoever makes this up has to mine these blocks. None of this shows that no other chain has more work, nor that this server follows the one with the most.",
  "chain.open": "Not shown to be on the chain: {reason}",
  "chain.differs": "The server does not show the chain that it claims: {reason}",
} as const;
