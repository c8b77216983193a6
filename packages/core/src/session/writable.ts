/**
 * An object while it is put together. What an activation makes has many properties that are often absent, and to set
 * those that are there takes a tenth of the time of spreads that may be of nothing.
 */
export type Writable<T> = { -readonly [K in keyof T]: T[K] }
