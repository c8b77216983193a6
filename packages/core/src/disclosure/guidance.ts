/** The real names of the tools that the guidance speaks of. */
export interface GuidanceTools {
  /** Absent: each skill has a tool of its own, whose name begins with `prefix`. */
  readonly activate?: string
  /** What the names of the skills' own tools begin with. Default `skill_`. */
  readonly prefix?: string
  readonly deactivate: string
  readonly readResource: string
  /** The host's tool that runs commands, where it has one. */
  readonly shell?: string
  /** Whether active skills are given as `private:` paths, which the shell does not know. Default false. */
  readonly mounted?: boolean
}

/**
 * How a model finds its way in skills, for models of any vendor, with the names of the tools that it really has. The
 * rules answer the mistakes that models make: a relative path taken against the working folder, a script read where
 * it should be run.
 */
export function navigationGuidance(tools: GuidanceTools): string {
  const { activate, prefix = 'skill_', deactivate, readResource, shell, mounted = false } = tools
  return [
    'Skills are folders of instructions for particular kinds of work.',
    activate === undefined
      ? `- Each tool whose name begins with \`${prefix}\` is a skill. When a task fits its description, call it before anything else, and follow what it returns.`
      : `- When a task fits a skill's description, call \`${activate}\` with its name before anything else, and follow what it returns.`,
    `- Relative paths in a skill's instructions are relative to that skill's folder, not to the working folder. Absolute paths and URLs stay as they are.`,
    `- Read a skill's files with \`${readResource}\`, by their relative paths.`,
    shell === undefined
      ? '- Scripts of a skill are run, never read. There is no tool here that runs them: say so if one is needed.'
      : `- Scripts of a skill are run, never read: run them with \`${shell}\`, by their absolute paths.${mounted ? ' A path that begins with `private:` does not exist there: the activation names the real one.' : ''}`,
    `- While a skill with allowed tools is active, only those tools may be used. Call \`${deactivate}\` when its work is done.`,
  ].join('\n')
}
