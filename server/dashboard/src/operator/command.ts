// The operator's commands, as the server has them.
import {send} from '../api/http';

export async function command<T>(name: string, parameters: object = {}): Promise<T> {
  return (await send<T>(`operator/${name}`, parameters)).body;
}
