// The words of the page of people, in English.
export const words = {
  explain: 'Who may sign in to this account, and what each may do.',
  invite: 'Invite somebody',
  onlyYou: 'You are alone here. Invite the people who run the kitchen, and the developers who use the API.',
  name: 'Name',
  role: 'Role',
  lastSeen: 'Last here',
  since: 'Since',
  you: 'you',
  nowhere: 'signed in nowhere',
  rights: {
    staff: 'Orders and what is sold out. Nothing else.',
    developer: 'Keys, webhooks, events and requests. Of live restaurants they only read.',
    manager: 'Orders with voids and refunds, kitchens, menu, settings. Sees what the account does.',
    owner: 'Everything, also people, partners, plan and live keys that may write.',
  },
  changeRole: 'Change role',
  changeRoleOf: (name: string) => `Change role of ${name}`,
  changeRoleHint: (name: string) =>
    `It counts at once. Without another account ${name} is signed out, and signs in again.`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeQuestion: (name: string) => `${name} sees nothing of this account any more, at once.`,
  removed: (name: string) => `${name} is no longer in the account.`,
  waiting: 'Invitations that wait',
  email: 'E-mail',
  invitedBy: 'Invited by',
  expires: 'Good until',
  revoke: 'Take back',
  revokeOf: (email: string) => `Take back the invitation of ${email}`,
  revokeQuestion: (email: string) => `The link that ${email} has got leads nowhere any more.`,
  language: 'Language of the mail',
  send: 'Send the invitation',
  sent: (email: string) => `An invitation is on its way to ${email}.`,
  handOver: 'Hand the link over',
  handOverHint: (email: string) =>
    `This relay sends no mail. Give this link to ${email} yourself: it works once, for seven days, and is shown this once.`,
  link: 'Link',
}

export type PeopleWords = typeof words
