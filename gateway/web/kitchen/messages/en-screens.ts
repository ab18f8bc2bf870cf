// English texts of the runner's display, the guests' board and the drawers.

export const enScreens = {
  // The guests' board.
  preparing: 'Preparing',
  pickUpReady: 'Ready',
  pickUpStale: 'Not updated since {time}. Please ask at the counter.',
  // The runner.
  nothingReady: 'Nothing is ready yet',
  runnerStale: 'Not connected since {time}. What is ready since then does not show here: look at the pass.',
  moreToCome: 'Course {n} on hold',
  /** After their number. */
  readyToCarry: 'ready',
  carried: 'Carried out',
  // The drawers.
  combine: 'Combine',
  combineNext: 'Next {n} tickets',
  combineNone: 'No open tickets',
  onTickets: 'on {n} tickets',
  onOne: 'on one ticket only',
  noStation: 'No station',
  lateOf: '{n} late',
  lastActs: 'Last taps here',
  readyAndPickedUp: 'Ready and picked up',
}
