/** Go's text/template and the sprig functions, for JavaScript. */
export { TemplateError } from './errors.ts';
