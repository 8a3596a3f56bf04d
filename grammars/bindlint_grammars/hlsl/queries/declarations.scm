; What a masked text declares. Bodies of functions and enums are blank by then, so nothing in here reaches into them.

(namespace_definition body: (declaration_list)) @namespace

(struct_specifier body: (field_declaration_list)) @struct
(class_specifier body: (field_declaration_list)) @struct
(union_specifier body: (field_declaration_list)) @struct

(enum_specifier body: (enumerator_list)) @enum

(declaration declarator: (_)) @declaration
(field_declaration declarator: (_)) @declaration
(function_definition declarator: (function_declarator)) @declaration
(type_definition declarator: (_)) @declaration

(alias_declaration) @alias
(using_declaration) @using

(ERROR) @error
(MISSING) @error

; Statements have no place outside bodies: most are macros that are defined nowhere.
(expression_statement [(call_expression) (binary_expression) (number_literal) (parenthesized_expression)]) @error
