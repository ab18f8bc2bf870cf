// The API key that a sign-up has just made: Quick start writes it into its lines. It is in this page's memory alone, and gone with it.
let shown: { accountId: string; apiKey: string } | null = null

export const shownKey = {
  set(made: { accountId: string; apiKey: string }): void {
    shown = made
  },
  /** Of this account; null: it must be made anew. */
  of: (accountId: string | undefined): string | null =>
    shown?.accountId === accountId ? (shown?.apiKey ?? null) : null,
}
