/** A module that is imported when it is first needed. */
export interface LazyImport<Module> {
  /** Absent: it is not imported yet. A call that finds it waits for nothing. */
  readonly loaded: Module | undefined
  readonly load: () => Promise<Module>
}

/** Where an import fails, the next one tries it again. */
export function lazyImport<Module>(importModule: () => Promise<Module>): LazyImport<Module> {
  let loading: Promise<Module> | undefined
  const lazy: { loaded: Module | undefined; readonly load: () => Promise<Module> } = {
    loaded: undefined,
    // Calls go on in their order: all that came before the module wait for one promise, and who comes later finds it
    // only after the first of them was told.
    load: () => (loading ??= importModule().then(keep, forget)),
  }
  const keep = (module: Module): Module => (lazy.loaded = module)
  const forget = (error: unknown): never => {
    loading = undefined
    throw error
  }
  return lazy
}
