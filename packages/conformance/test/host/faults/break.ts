import type { ToyMessage, ToyParts, ToyRequest, ToySkill } from '../toy-host.ts'

/** A toy host with exactly one fault. */
export interface HostFault {
  /** What the host does, as the end of "a host that …". */
  readonly wrong: string
  /** The checks that fail. */
  readonly fails: readonly string[]
  /** Other checks that may fail, since the fault implies it. */
  readonly implies?: RegExp
  /** What every reason contains, if the fault ends a check with an error instead of a failed expectation. */
  readonly because?: string
  readonly change: (parts: ToyParts) => Partial<ToyParts>
}

/** Parses a file otherwise if its text matches. */
export function parsing(
  pattern: RegExp,
  change: (skill: ToySkill, text: string) => ToySkill | undefined,
): (parts: ToyParts) => Partial<ToyParts> {
  return ({ parse }) => ({
    async parse(bytes, folder) {
      const text = Buffer.from(bytes).toString()
      const skill = await parse(bytes, folder)
      return skill !== undefined && pattern.test(text) ? change(skill, text) : skill
    },
  })
}

/** Gives up if the text of any file matches. */
export function failing(matches: (text: string, bytes: Uint8Array) => boolean): (parts: ToyParts) => Partial<ToyParts> {
  return ({ parse }) => ({
    async parse(bytes, folder) {
      if (matches(Buffer.from(bytes).toString(), bytes)) throw new Error(`${folder} cannot be read.`)
      return parse(bytes, folder)
    },
  })
}

/** Gives up if a place has no file that can be read. */
export function unreadable(matches: (error: NodeJS.ErrnoException, path: string) => Promise<boolean>) {
  return (): Partial<ToyParts> => ({
    async unreadable(error, path) {
      if (await matches(error, path)) throw error
      return undefined
    },
  })
}

/** Changes what is sent of a conversation. */
export function sending(change: (messages: readonly ToyMessage[], request: ToyRequest) => readonly ToyMessage[]) {
  return (): Partial<ToyParts> => ({ body: (request) => ({ ...request, messages: change(request.messages, request) }) })
}

/** Changes the text of a skill's instructions. */
export function loading(change: (body: string, skill: ToySkill) => string) {
  return ({ parse }: ToyParts): Partial<ToyParts> => ({
    async parse(bytes, folder) {
      const skill = await parse(bytes, folder)
      return skill === undefined ? undefined : { ...skill, body: change(skill.body, skill) }
    },
  })
}

/** Changes how descriptions are shown. */
export function describing(describe: ToyParts['describe']) {
  return (): Partial<ToyParts> => ({ describe })
}

/** Changes what a scan finds, by what earlier scans of the folder found. */
export function remembering(change: (found: readonly ToySkill[], earlier: readonly ToySkill[]) => readonly ToySkill[]) {
  return ({ scan }: ToyParts): Partial<ToyParts> => {
    const known = new Map<string, readonly ToySkill[]>()
    return {
      async scan(folder) {
        const found = await scan(folder)
        const earlier = known.get(folder) ?? found
        known.set(folder, earlier)
        return change(found, earlier)
      },
    }
  }
}

export const ONE_LINE = /\s+/g
export const HIDDEN = /[\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu
export const isSkillResult = (messages: readonly ToyMessage[], { tool_call_id: id }: ToyMessage): boolean =>
  messages.some(({ tool_calls: calls = [] }) => calls.some((call) => call.id === id && call.function.name === 'skill'))
