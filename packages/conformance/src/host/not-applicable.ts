/** Thrown by a check that has nothing to judge in this host. */
export class NotApplicable extends Error {}
