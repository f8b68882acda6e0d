// mock/model.ts: see index.ts.
import { schema } from './index.ts'
export const loadGyre = async () => { const its = JSON.parse(await schema()); return { schema: () => its } }
