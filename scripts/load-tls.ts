/**
 * Loads `node:tls` before the modules of a test. If `_tls_common` is the first of the two in a thread, `tls.createSecureContext` is missing
 * there: the modules of Node require each other.
 */
import 'node:tls';
