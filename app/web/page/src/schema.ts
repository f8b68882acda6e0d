// schema.ts: the JSON Schema of scene files, as gyre schema prints it. Of a second module on the
// page's own thread, which goes when it has answered.
import { loadGyre } from 'gyre-fluid/model'

export async function schemaText(): Promise<string> {
  return JSON.stringify((await loadGyre({ threads: 1 })).schema())
}
