/**
 * Imports a vendor's package, which is an optional dependency.
 * @throws {Error} it cannot be imported; the message says how to install it
 */
export async function vendorPackage<T>(client: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new Error(
      `${client}() needs the package "${name}", and it cannot be imported. Install it: npm install ${name}`,
      { cause },
    )
  }
}
