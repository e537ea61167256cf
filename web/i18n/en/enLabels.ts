/** English message catalogue of remarks on payments and of contacts; a part of `en.ts`. */

/** The messages. */
export const enLabels = {
  "remark.title": "Your remark",
  "remark.add": "Add a remark",
  "remark.change": "Change the remark",
  "remark.hint":
    "Only you see it. It stays in this browser, encrypted, and goes into the files you save; the seed alone does not bring it back.",
  "contacts.title": "Contacts",
  "contacts.text":
    "Names for addresses of others. They stay in this browser, encrypted; the seed alone does not bring them back.",
  "contacts.none": "No contacts yet.",
  "contacts.add": "Add a contact",
  "contacts.addOf": "Add to contacts",
  "contacts.name": "Name",
  "contacts.address": "Address of the contact",
  "contacts.proof": "Signed message of the contact, if there is one",
  "contacts.proofHint":
    "It shows that its maker has the key of this address, not who that is; and it can be handed on, so ask for a text of your own. It is checked now and not kept, since a signature holds the contact's viewing key; only its text and the day are.",
  "contacts.proofForm": "This is no signed message.",
  "contacts.proved": "Proved control of this address on {date}",
  "contacts.provedText": "Signed text: {text}",
  "contacts.unproved": "Nobody proved control of this address.",
  "contacts.remove": "Remove",
  "contacts.removeOf": "Remove {name}",
  "contacts.choose": "Choose a contact",
  "contacts.chooseNone": "No contact",
  "contacts.full": "There is no room for more contacts.",
} as const;
