/** The id of a delivery, as its receiver gets it; or of an event, or at least the part of that which journals keep. */
export const EVENT_ID = /^[a-z2-7]{12,52}$/;
