/** A request that the vendor refuses: what is wrong with it, its body, and what is said about it. */
export type Row = readonly [wrong: string, body: unknown, said: string]

/** What is said of messages between calls and their results. */
export const CLOSED = 'before the results of these calls'

/** What is said of fields that do not belong there. */
export const UNKNOWN = 'The body has an unknown field'
