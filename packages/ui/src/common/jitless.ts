/** zod would try whether it may make functions of texts. The policy of the page forbids that, and browsers would report it. */
import { config } from 'zod';

config({ jitless: true });
