// The cookies of the box: a user's session, a kitchen screen's token, and the mark of a browser that has signed in before.

export const SESSION_COOKIE = 'ticketrail_session'
export const DISPLAY_COOKIE = 'ticketrail_display'
/** Opens nothing: it only lets its owner try a password while others guess. */
export const DEVICE_COOKIE = 'ticketrail_device'
