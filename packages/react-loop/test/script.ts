/** A call in a step of a script. */
export const call = (name: string, input: unknown = {}, id?: string) => ({
  tool: name,
  input,
  id,
})
/** A step of several calls. */
export const calls = (...all: readonly ReturnType<typeof call>[]) => ({ calls: all })

/** A call that activates a skill. */
export const activate = (name: string) => call('activate_skill', { name })

/** A step that is answered with a text once `hold` is resolved. */
export const heldUntil = (hold: Promise<void>, text: string) => ({ hold, next: { text } })
