"""How hard an example proves to be: inference depth of positives, router behaviour on negatives."""
