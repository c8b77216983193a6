type Commands = typeof import('./commands.ts')

let loaded: Commands | undefined

/** Imports what reads command lines. It is half of all code, and a program that only lists skills does not need it. */
export async function loadCommands(): Promise<Commands> {
  return (loaded ??= await import('./commands.ts'))
}

/** Returns what `loadCommands` has imported; undefined where nobody has called it yet. */
export function loadedCommands(): Commands | undefined {
  return loaded
}

/** Returns what reads command lines, for code that runs after `loadCommands`. */
export function commands(): Commands {
  if (loaded === undefined) throw new Error('Await loadCommands() before a command line is read.')
  return loaded
}
