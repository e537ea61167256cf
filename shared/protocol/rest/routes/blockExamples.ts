/** Examples of blocks for the documents of the public REST interface. */

const HASH = "ab".repeat(32);
const PARENT = "cd".repeat(32);
const COINBASE = "e1".repeat(32);
const PAYMENT = "f2".repeat(32);

/** A block of a list. */
export const EXAMPLE_RECENT_BLOCK = {
  block_hash: HASH,
  difficulty: 81_234_567.5,
  daaScore: "1276151",
  blueScore: "1276100",
  timestamp: "1795678901234",
  txCount: 2,
  isChainBlock: true,
  color: "blue",
  parents: [PARENT],
  txs: [
    { txId: COINBASE, kind: "coinbase", actions: 0, outputs: [["5380083582", "shielded"]] },
    { txId: PAYMENT, kind: "payment", actions: 2, outputs: [["2", "shielded"]] },
  ],
} as const;

/** A block as the graph draws it. */
export const EXAMPLE_GRAPH_BLOCK = {
  block_hash: HASH,
  parents: [PARENT],
  selectedParent: PARENT,
  color: "blue",
  isChainBlock: true,
  mergedBy: HASH,
  blueScore: "1276100",
  daaScore: "1276151",
  timestamp: "1795678901234",
  txCount: 2,
  work: "native",
} as const;

/** A block as a whole. */
export const EXAMPLE_BLOCK = {
  block_hash: HASH,
  header: {
    hash: HASH,
    version: 1,
    timestamp: 1_795_678_901_234,
    daaScore: "1276151",
    blueScore: "1276100",
    blueWork: "2fa1c09d33",
    nonce: "9274659872345",
    bits: 453_000_001,
    pruningPoint: PARENT,
    hashMerkleRoot: "12".repeat(32),
    acceptedIdMerkleRoot: "34".repeat(32),
    utxoCommitment: "56".repeat(32),
    parents: [{ parentHashes: [PARENT] }],
  },
  verboseData: {
    difficulty: 81_234_567.5,
    selectedParentHash: PARENT,
    transactionIds: [COINBASE],
    isChainBlock: true,
    childrenHashes: [],
    mergeSetBluesHashes: [PARENT],
    mergeSetRedsHashes: [],
  },
  transactions: [
    {
      version: 0,
      shielded: false,
      inputs: [],
      outputs: [
        {
          amount: 5_380_083_582,
          scriptPublicKey: { version: 0, scriptPublicKey: "0e".repeat(43) },
          verboseData: { scriptPublicKeyType: "nonstandard", scriptPublicKeyAddress: null },
        },
      ],
      lockTime: "0",
      subnetworkId: `01${"00".repeat(19)}`,
      payload: "00".repeat(94),
      verboseData: { transactionId: COINBASE, hash: "78".repeat(32), mass: "0" },
    },
  ],
  extra: {
    color: "blue",
    mergedBy: HASH,
    minerAddress: null,
    minerInfo: "svc-miner/0.1.0",
    work: "native",
    hasBody: true,
    applied: [{ transaction_id: PAYMENT, block_hash: PARENT }],
    dropped: [],
  },
} as const;
