// The form of telephone numbers as they are stored and compared: E.164.

/** `+` and 8 to 15 digits. */
export const E164 = /^\+[1-9]\d{7,14}$/
