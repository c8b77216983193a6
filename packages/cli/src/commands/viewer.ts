import type { SessionOptions } from '@repertoire/core'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** The agent that sees the skills. */
export interface ScopeOptions {
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
}

/** The agent that sees the skills, and the window that its list has to fit in. */
export interface ViewerOptions extends ScopeOptions {
  readonly contextWindow?: number | undefined
}

/** Adds the options of the viewer. */
export function addScopeOptions(command: Command): Command {
  return command
    .option('--agent <name>', "what this agent sees; a skill's scope may name it")
    .addOption(new Option('--tenant <name>').hideHelp())
    .addOption(new Option('--environment <name>').hideHelp())
}

/** Adds the options of the viewer and of the list. */
export function addViewerOptions(command: Command): Command {
  return addScopeOptions(command).addOption(
    new Option('--context-window <tokens>', 'the window of the model (default: 200000); the list gets 2%').argParser(
      readTokens,
    ),
  )
}

/** Returns the session options of a viewer. */
export function viewerOf({ agent, tenant, environment }: ScopeOptions): SessionOptions {
  return { agent, tenant, environment }
}

function readTokens(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number of tokens, such as 200000.')
}
