import { LISTING_STYLES, type ListingStyle, type SessionOptions } from '@repertoire/core'
import type { ConfiguredHost } from '@repertoire/core/node'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { repeatableOption } from './options.ts'

/** The agent that sees the skills. */
export interface ScopeOptions {
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
  readonly only?: readonly string[] | undefined
}

/** The agent that sees the skills, and how they are listed. */
export interface ViewerOptions extends ScopeOptions {
  readonly style?: ListingStyle | undefined
  readonly budget?: number | false | undefined
  readonly contextWindow?: number | undefined
}

/** Adds the options of the viewer. */
export function addScopeOptions(command: Command): Command {
  return command
    .option('--agent <name>', "what this agent sees; a skill's scope may name it")
    .addOption(new Option('--tenant <name>').hideHelp())
    .addOption(new Option('--environment <name>').hideHelp())
    .addOption(repeatableOption('--only <name>', '').hideHelp())
}

/** Adds the options of the viewer and of the list. */
export function addViewerOptions(command: Command): Command {
  return addScopeOptions(command)
    .addOption(new Option('--style <name>', 'how skills are listed').choices(LISTING_STYLES))
    .addOption(
      new Option('--budget <share>', 'the share of the window for the list, or "none" (default: 2%)').argParser(
        readShare,
      ),
    )
    .addOption(
      new Option('--context-window <tokens>', 'the context window of the model (default: 200000)').argParser(
        readTokens,
      ),
    )
}

/** Returns the session options of a viewer. */
export function viewerOf({ agent, tenant, environment, only }: ScopeOptions): SessionOptions {
  return {
    ...(agent !== undefined && { agent }),
    ...(tenant !== undefined && { tenant }),
    ...(environment !== undefined && { environment }),
    ...(only !== undefined && { skills: only }),
  }
}

/** Returns how skills are listed, and for which window. */
export function listingOf({ style, budget, contextWindow }: Partial<ViewerOptions>): ConfiguredHost {
  return {
    listing: { style, budget: typeof budget === 'number' ? { share: budget } : budget },
    context: { window: contextWindow, summaries: false },
  }
}

function readShare(text: string): number | false {
  if (text === 'none') return false
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? []
  const share = percent === '%' ? Number(digits) / 100 : Number(digits)
  if (share > 0 && share <= 1) return share
  throw new InvalidArgumentError('Give a share such as 2% or 0.02, more than 0 and at most 100%, or "none".')
}

function readTokens(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number of tokens, such as 200000.')
}
