"""The only code that attributes one step: modules, operators, lines, allocations."""
