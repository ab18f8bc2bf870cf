// Answers of the box that are not in its list of operations: the signed-in person.
export interface Session {
  /** `setup`: no user yet. */
  state: 'setup' | 'signed-out' | 'signed-in'
  user: { userId: string; name: string; role: 'technician' | 'manager' } | null
  box: { name: string; language: string; app: string; gatewayId: string; merchantName: string }
  time: string
}
