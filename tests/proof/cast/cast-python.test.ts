// Every bad agent of the drill's cast in a Python project, committed and not, and the honest twin of each.
import { describeCast } from "./describe-cast.ts";
import { interpreter } from "./samples.ts";

if (interpreter === null)
  process.stderr.write("tests/proof/cast/cast-python.test.ts: skipped, since no python3 here has pytest\n");
describeCast("Python", { skip: interpreter === null });
