type Commands = typeof import('./command/line.ts')

let loaded: Commands | undefined

/** Imports what reads command lines, with its parser: a program that only lists skills does not need it. */
export async function loadCommands(): Promise<Commands> {
  return (loaded ??= await import('./command/line.ts'))
}

export function commands(): Commands {
  if (loaded === undefined) throw new Error('Await loadCommands() before a command line is read.')
  return loaded
}
