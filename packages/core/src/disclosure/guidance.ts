/** The real names of the tools in the guidance. */
export interface GuidanceTools {
  /** Absent: each skill is a separate tool whose name begins with `prefix`. */
  readonly activate?: string
  /** The prefix of the tools of single skills. Default `skill_`. */
  readonly prefix?: string
  readonly deactivate: string
  readonly readResource: string
  /** The host's tool that runs commands, if it has one. */
  readonly shell?: string
  /** Whether active skills have `private:` paths, which the shell cannot resolve. Default false. */
  readonly mounted?: boolean
}

/**
 * Returns instructions for models of any vendor on how to use skills, with the names of the tools that they really have.
 * Each rule prevents a mistake that models make, such as resolving a relative path against the working folder, or reading
 * a script instead of running it.
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
