// The cookies of the box: a person's session, a kitchen screen's token, a browser's sign that somebody came in with it before.

export const SESSION_COOKIE = 'ticketrail_session'
export const DISPLAY_COOKIE = 'ticketrail_display'
/** Opens nothing: it only lets its owner try a password while others guess. */
export const DEVICE_COOKIE = 'ticketrail_device'
