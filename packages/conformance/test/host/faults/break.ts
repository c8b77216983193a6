import type { ToyMessage, ToyParts, ToySkill } from '../toy-host.ts'

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

type Ids = string | readonly string[]

export function fault(
  wrong: string,
  fails: Ids,
  change: HostFault['change'],
  more: Pick<HostFault, 'because' | 'implies'> = {},
): HostFault {
  return { wrong, fails: typeof fails === 'string' ? [fails] : fails, change, ...more }
}

/** Parses a file otherwise if its text matches. */
export function parsing(
  wrong: string,
  fails: Ids,
  pattern: RegExp,
  change: (skill: ToySkill, text: string) => ToySkill | undefined,
): HostFault {
  return fault(wrong, fails, ({ parse }) => ({
    async parse(bytes, folder) {
      const text = Buffer.from(bytes).toString()
      const skill = await parse(bytes, folder)
      return skill !== undefined && pattern.test(text) ? change(skill, text) : skill
    },
  }))
}

/** Loses a skill if the text of its file matches. */
export function losing(wrong: string, fails: Ids, pattern: RegExp): HostFault {
  return parsing(wrong, fails, pattern, () => undefined)
}

/** Changes the text of a skill's instructions. */
export function loading(wrong: string, fails: Ids, change: (body: string) => string): HostFault {
  return parsing(wrong, fails, /^/, (skill) => ({ ...skill, body: change(skill.body) }))
}

/** Changes what the model reads of a file. */
export function reading(wrong: string, fails: Ids, change: (text: string) => string): HostFault {
  return fault(wrong, fails, ({ read }) => ({
    read: async (skills, name, path) => change(await read(skills, name, path)),
  }))
}

/** Changes what is sent of a conversation. */
export function sending(
  wrong: string,
  fails: Ids,
  change: (messages: readonly ToyMessage[]) => readonly ToyMessage[],
): HostFault {
  return fault(wrong, fails, () => ({ body: (request) => ({ ...request, messages: change(request.messages) }) }))
}

/** Changes what a scan finds, by what earlier scans of the folder found. */
export function remembering(
  wrong: string,
  fails: Ids,
  change: (found: readonly ToySkill[], earlier: readonly ToySkill[]) => readonly ToySkill[],
): HostFault {
  return fault(wrong, fails, ({ scan }) => {
    const known = new Map<string, readonly ToySkill[]>()
    return {
      async scan(folder) {
        const found = await scan(folder)
        const earlier = known.get(folder) ?? found
        known.set(folder, earlier)
        return change(found, earlier)
      },
    }
  })
}

export const isSkillResult = (messages: readonly ToyMessage[], { tool_call_id: id }: ToyMessage): boolean =>
  messages.some(({ tool_calls: calls = [] }) => calls.some((call) => call.id === id && call.function.name === 'skill'))
