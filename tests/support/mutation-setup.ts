// Before each test file of a mutation run: a property that fails is enough to know, and need not be made small first.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
