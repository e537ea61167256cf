/** English message catalogue of the wallet's keys: passphrase, automatic lock, backups, several wallets. A part of `en.ts`. */

/** The messages. */
export const enKeys = {
  "keys.passphraseText":
    "Another passphrase for this wallet in this browser. Copies of its data from before still open with the old one.",
  "keys.passphraseChange": "Change passphrase",
  "keys.passphraseNow": "Passphrase now",
  "keys.passphraseNew": "New passphrase",
  "keys.passphraseDone": "The passphrase is changed.",
  "keys.close": "Close",
  "keys.lockAfter": "Locks itself without input after",

  "viewing.title": "Viewing keys",
  "viewing.text":
    "For an accountant, a gateway or a program that watches. A viewing key cannot spend, and it cannot be taken back.",
  "viewing.export": "Show a viewing key",
  "viewing.which": "Which key",
  "viewing.incoming": "Incoming",
  "viewing.full": "Full",
  "viewing.incomingWarning":
    "Whoever has it sees every payment that this seed ever receives, amounts and memos included, for ever. It does not show what is spent.",
  "viewing.fullWarning":
    "Whoever has it sees everything that this seed ever receives and spends, for ever: amounts, memos, balance. Where payments can be read back after a restore, also whom it paid.",
  "viewing.agree": "I want to show it, and know that no change of passphrase takes it back.",
  "viewing.submit": "Show the key",
  "viewing.key": "Viewing key",
  "viewing.save": "Save as a file",
  "viewing.qr": "The viewing key as a QR code",

  "readBack.title": "Payees after a restore",
  "readBack.choice": "Payments from now on can be read back after a restore",
  "readBack.text":
    "A restored wallet finds what it received, and of what it paid only the sum. With this on, each payment carries a copy for you on the chain: after a restore payee, amount and memo are there again. Earlier payments stay as they are.",
  "readBack.cost":
    "What it costs: whoever ever gets your seed or your full viewing key also sees whom you paid and what you wrote. No fee, and nobody else sees a difference. Turning it off later takes back no copy.",
  "readBack.yes": "Turn it on",
  "readBack.no": "Leave it off",

  "backups.brings": "A backup file does.",
  "backups.title": "Backups",
  "backups.paperText":
    "A page to print or copy: the seed with its check digits, a QR code, and when the wallet was made.",
  "backups.paper": "Paper backup",
  "backups.fileText":
    "A file with the seed, and with your contacts, names of addresses and remarks, sealed under this wallet's passphrase. Whoever has both can take everything; without the passphrase of today it is worth nothing.",
  "backups.file": "Backup file",
  "backups.fileSubmit": "Save file",
  "backups.fileDone":
    "The file is saved. It opens with the passphrase that this wallet has now, also after you have changed it here.",
  "backups.without.contacts":
    "The contacts are not in it: they are damaged, or too many for a file.",
  "backups.without.names":
    "The names of addresses are not in it: they are damaged, or too many for a file.",
  "backups.without.remarks":
    "The remarks on payments are not in it: they are damaged, or too many for a file.",

  "paper.title": "Paper backup of a wallet",
  "paper.warning":
    "Whoever sees this page can take everything. Printers may keep what they print; copying by hand is the safest.",
  "paper.ask": "The page shows the seed. Make sure that nobody looks on.",
  "paper.askSubmit": "Show the page",
  "paper.qr": "The seed and its check digits as a QR code",
  "paper.network": "Network",
  "paper.birthday": "First used",
  "paper.birthdayGenesis": "Not known: scan from the beginning",
  "paper.made": "Page made",
  "paper.how":
    "To restore: open a wallet of this network, choose “Restore a wallet”, and type the groups in their order, the check digits last. A wrong digit is noticed.",
  "paper.print": "Print",

  "restoreFile.choice": "Restore from a file",
  "restoreFile.choiceText": "From a backup file and its passphrase.",
  "restoreFile.file": "Backup file",
  "restoreFile.fileHint": "A file that this wallet has saved under Settings, Backups.",
  "restoreFile.fileMissing": "Choose the file first.",
  "restoreFile.passphrase": "Passphrase of the file",
  "restoreFile.passphraseHint": "The wallet keeps it as its passphrase in this browser.",

  "watch.choice": "Watch a wallet",
  "watch.choiceText": "From a viewing key: shows what comes and goes, and cannot pay.",
  "watch.key": "Full viewing key",
  "watch.keyHint": "192 hexadecimal digits. Blanks and line breaks do not matter.",
  "watch.keyIncoming":
    "This is an incoming viewing key. Without the full one this wallet could not tell what was spent.",
  "watch.keyLength": "A full viewing key has 192 hexadecimal digits.",
  "watch.submit": "Watch",
  "watch.deleteConfirm": "I have the viewing key elsewhere, or need it no more.",
  "watch.badge": "Watch only",
  "watch.title": "This wallet only watches",
  "watch.text":
    "It holds a viewing key and no seed: it shows what comes and goes, and cannot pay. The seed is elsewhere.",
  "wallets.title": "Wallets",
  "wallets.text":
    "This browser can keep several wallets, each with its own seed and passphrase. One is open at a time; switching locks it.",
  "wallets.number": "Wallet {number}",
  "wallets.choice": "Wallet",
  "wallets.open": "Open now",
  "wallets.locked": "Locked",
  "wallets.rename": "Rename",
  "wallets.renameOf": "Rename {name}",
  "wallets.nameOf": "Name of {name}",
  "wallets.nameHint":
    "Shown before the passphrase: everybody who uses this browser can read it. Left empty, the wallet is shown by its number.",
  "wallets.switch": "Switch",
  "wallets.switchTo": "Switch to {name}",
  "wallets.add": "Add a wallet",
  "wallets.full": "This browser has {max} wallets, and takes no more.",
  "wallets.paying": "A payment is being made: its wallet stays open until that is done.",
  "wallets.newTitle": "One more wallet",
  "wallets.newText":
    "It gets a seed and a passphrase of its own. The wallets that are here stay as they are, locked.",
  "wallets.back": "Back to your wallets",
  "wallets.deleteName": "What is removed is {name}. The other wallets of this browser stay.",
} as const;
