/** English message catalogue of the list of nodes and their roles, a part of `en.ts`. */

/** The messages. */
export const enNodes = {
  "nodes.title": "Nodes",
  "nodes.text":
    "The wallet follows one node. Another one is compared with it and gets your payments, so that no node sees both what you look at and what you pay. While this list is open, each of them is asked for its newest block.",
  "nodes.roleFollowed": "Followed",
  "nodes.roleSecond": "Second opinion",
  "nodes.roleReplaced": "Second opinion: another node stands in",
  "nodes.roleSpare": "In reserve",
  "nodes.rolePays": "Payments go here",
  "nodes.roleNone": "Not used",
  "nodes.state": "State",
  "nodes.refused": "Refused: another network",
  "nodes.unasked": "Not asked yet",
  "nodes.asked": "Last asked",
  "nodes.answer": "Answered in",
  "nodes.answerMs": "{time} ms",
  "nodes.network": "Network",
  "nodes.tip": "Newest block",
  "nodes.tipAt": "{block}, from {time}",
  "nodes.tipAhead": {
    one: "{tip}: {count} block above the followed node",
    other: "{tip}: {count} blocks above the followed node",
  },
  "nodes.tipBehind": {
    one: "{tip}: {count} block below the followed node",
    other: "{tip}: {count} blocks below the followed node",
  },
  "nodes.agrees": "What was proved",
  "nodes.agreesFollowed": "Shown by this node",
  "nodes.agreesYes": "It has the last proved block",
  "nodes.agreesNo": "It does not have the last proved block",
  "nodes.agreesSame": "It told the last compared blocks the same",
  "nodes.agreesOther": "It told some of the last compared blocks otherwise",
  "nodes.agreesUnknown": "Not compared yet",
  "nodes.fault": "Last fault",
  "nodes.follow": "Follow",
  "nodes.followHint": "What was proved stays: the wallet goes on where it is.",
  "nodes.second": "Second node",
  "nodes.secondHint": "Where it does not answer, the next one of the list stands in.",
  "nodes.secondNone": "None: payments go to the followed node",
  "nodes.listed":
    "These pages were built to talk to {nodes} only, and the browser would stop every other request. A build for other nodes is made with SVC_NODE_ORIGINS.",
  "nodes.any":
    "This variant of the pages talks to any node. Its promise is weaker: a script that got in could send data anywhere.",
  "nodes.add": "Address of another node",
  "nodes.addSubmit": "Add",
  "nodes.remove": "Remove",
  "nodes.removeOf": "Remove {url}",
  "nodes.changed": "Used once the page has loaded again, which asks for the passphrase.",
  "nodes.use": "Use these nodes",
  "nodes.malformed":
    "A node's address looks like https://node.example or https://node.example:8443.",
  "nodes.insecure":
    "Over the network only HTTPS is used: anybody on the way could read and change plain HTTP.",
  "nodes.known": "This node is in the list.",
  "nodes.tooMany": "The list holds {count} nodes at most. Remove one first.",
} as const;
