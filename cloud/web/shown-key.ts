// The API key that a sign-up has just made: Quick start writes it into its lines. It is in this page's memory alone, and gone with it.
let shown: { accountId: string; apiKey: string } | null = null

export const shownKey = {
  set(made: { accountId: string; apiKey: string }): void {
    shown = made
  },
  /** The key of this account; null: a new one must be made. */
  of: (accountId: string | undefined): string | null =>
    shown?.accountId === accountId ? (shown?.apiKey ?? null) : null,
}
