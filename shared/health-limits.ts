// From where on a measure of the box is not well: one place for its findings, its figures on the page and the care of its disk.

/** Below it, the oldest finished history is deleted. */
export const LOW_DISK_BYTES = 64 * 1024 * 1024
/** Of what the system allows the program. */
export const MEMORY_SHARE = 0.9
/** The processor of a Raspberry Pi slows itself down from here on. */
export const HOT_CELSIUS = 80
export const WORN_PERCENT = 80
/** Scheduled orders use the relay's time whatever this machine's clock shows; the hours on the page do not. */
export const WRONG_CLOCK_MS = 2_000
