/** `fail` stops a template; `hello` greets. */
import { GoError } from '../errors.ts';
import { type FuncMap, fn } from '../value/func.ts';

export const flow: FuncMap = {
  fail: fn('func(string) (string, error)', (message: string) => {
    throw new GoError(message);
  }),
  hello: fn('func() string', () => 'Hello!'),
};
