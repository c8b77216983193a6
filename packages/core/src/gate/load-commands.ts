/** All that reads command lines of shells. */
export type Commands = typeof import('./commands.ts')

/** Imports it. It is large, and many programs never judge a command. */
export function loadCommands(): Promise<Commands> {
  return import('./commands.ts')
}
