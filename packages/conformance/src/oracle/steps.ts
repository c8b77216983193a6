import type { CallStep, SayStep } from '../endpoint/script.ts'

/** The model activates a skill. */
export function activate(name: string, args?: string): CallStep {
  return call('activate_skill', args === undefined ? { name } : { name, args })
}

/** The model leaves a skill, by default the top one. */
export function deactivate(name?: string): CallStep {
  return call('deactivate_skill', name === undefined ? {} : { name })
}

/** The model reads a file of an active skill. */
export function readSkillFile(path: string, more: Readonly<Record<string, unknown>> = {}): CallStep {
  return call('read_skill_resource', { path, ...more })
}

/** The model runs a command with the host's `Bash`. */
export function bash(command: string, id?: string): CallStep {
  return call('Bash', { command }, id)
}

/** The model reads a file with the host's `Read`. */
export function read(path: string): CallStep {
  return call('Read', { file_path: path })
}

/** The model writes a file with the host's `Write`. */
export function write(path: string, content = 'x'): CallStep {
  return call('Write', { file_path: path, content })
}

/** The model fetches a page with the host's `WebFetch`. */
export function fetchPage(url = 'https://example.com/'): CallStep {
  return call('WebFetch', { url })
}

/**
 * The model calls one tool.
 * @param id default: as `ScriptedCall` says
 */
export function call(tool: string, input: unknown = {}, id?: string): CallStep {
  return { calls: [{ tool, input, ...(id !== undefined && { id }) }] }
}

/** The model calls several tools in one message. */
export function together(...steps: readonly CallStep[]): CallStep {
  return { calls: steps.flatMap(({ calls }) => calls) }
}

/** The model says something beside its calls. */
export function saying(text: string, step: CallStep): CallStep {
  return { ...step, text }
}

/** The model answers, which ends the turn. */
export function say(text = 'Done.'): SayStep {
  return { text }
}
